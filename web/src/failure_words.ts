// Glyph, tone and word of what is said about failures, nightlies and benchmarks. Beside words.ts, for the pages that need it.
import type { Schemas } from './api';
import { outcomeWord, unknown, type Word } from './words';

// Whose failure it is.
export const whose: Record<Schemas['Verdict'], Word> = {
  pr: { glyph: 'P', tone: 'failure', word: 'the pull request', meaning: 'The evidence says that the change itself broke it.' },
  trunk: {
    glyph: 'U',
    tone: 'timed_out',
    word: 'upstream trunk',
    meaning: 'It fails without this pull request too, at several downstreams.',
  },
  backend: { glyph: 'D', tone: 'flaky', word: 'the downstream', meaning: 'It fails there whatever the pull request is.' },
  infra: {
    glyph: 'I',
    tone: 'waiting',
    word: 'infrastructure',
    meaning: 'Machines or set-up failed before the tests could tell anything.',
  },
  relay: { glyph: 'R', tone: 'running', word: 'the relay', meaning: 'The relay itself had trouble: retries, refused reports, clocks.' },
  flake: { glyph: 'F', tone: 'flaky', word: 'chance', meaning: 'It passed and failed on the same commit.' },
  unknown: { glyph: '?', tone: 'none', word: 'nobody can tell', meaning: 'No evidence for or against anybody yet.' },
};

export function whoseWord(verdict: string): Word {
  return (whose as Record<string, Word | undefined>)[verdict] ?? unknown;
}

export interface Blamed {
  verdict: string;
  jobs: number;
  downstreams: string[];
  job: string; // the first of them
  confidence: string; // the highest of them
}

// Whose the red jobs of a commit are, the verdict with most of them first; those that hold up the merge are counted before others.
export function blamed(backends: Pick<Schemas['BackendOnPull'], 'repo' | 'blocking' | 'cells'>[]): Blamed[] {
  const found = new Map<string, Blamed & { blocking: number }>();
  const confidences = ['low', 'medium', 'high'];
  for (const { repo, blocking, cells } of backends) {
    for (const { attribution, outcome, job, workflow } of cells) {
      if (!attribution || (outcome !== 'failure' && outcome !== 'timed_out')) continue;
      const { verdict, confidence } = attribution;
      const one = found.get(verdict) ?? { verdict, jobs: 0, downstreams: [], job: job || workflow, confidence: 'low', blocking: 0 };
      one.jobs += 1;
      one.blocking += Number(blocking);
      if (!one.downstreams.includes(repo)) one.downstreams.push(repo);
      if (confidences.indexOf(confidence) > confidences.indexOf(one.confidence)) one.confidence = confidence;
      found.set(verdict, one);
    }
  }
  return [...found.values()].sort((a, b) => b.blocking - a.blocking || b.jobs - a.jobs).map(({ blocking, ...rest }) => rest);
}

// Against trunk.
export const againstBase: Record<Schemas['AgainstBase']['state'], Word> = {
  new: { glyph: '+', tone: 'failure', word: 'new', meaning: 'It fails here and passes on trunk.' },
  existing: { glyph: 'E', tone: 'timed_out', word: 'existing', meaning: 'It fails here and on trunk.' },
  fixed: { glyph: '^', tone: 'success', word: 'fixed', meaning: 'It passes here and failed on trunk.' },
  unknown: { glyph: '?', tone: 'none', word: 'no comparison', meaning: 'Nothing of this job ended on trunk in 14 days.' },
};

export const missed: Word = { glyph: 'M', tone: 'failure', word: 'missed', meaning: 'A run was due and could not be sent.' };

export function nightWord(outcome: string): Word {
  return outcome === 'missed' ? missed : outcomeWord(outcome);
}

// A benchmark against its usual value.
export const marks: Record<Schemas['BenchmarkMark'], Word> = {
  worse: { glyph: 'W', tone: 'failure', word: 'worse', meaning: 'Away from the usual, in the bad direction.' },
  changed: { glyph: 'Δ', tone: 'timed_out', word: 'changed', meaning: 'Away from the usual; its unit does not tell which way is good.' },
  better: { glyph: 'B', tone: 'success', word: 'better', meaning: 'Away from the usual, in the good direction.' },
  usual: { glyph: '≈', tone: 'none', word: 'as usual', meaning: 'Within 10 %, or within three times the median distance.' },
  new: { glyph: '+', tone: 'waiting', word: 'new', meaning: 'Fewer than 5 values before it: nothing to compare with.' },
};

export function markWord(mark: string): Word {
  return (marks as Record<string, Word | undefined>)[mark] ?? unknown;
}
