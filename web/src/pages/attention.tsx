// One matter that needs somebody: what, since when, and whether somebody already looks after it.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { acknowledge } from '../orders';
import { severities } from '../words';
import { Act, why, type Field, type Filled } from '../widgets/act';
import { Explained, Glyph, Name, When } from '../widgets/bits';
import { Section } from '../widgets/frame';

type Item = Schemas['Attention'];

const howLong: Field = {
  name: 'until',
  label: 'For how long',
  kind: 'choice',
  options: [
    { value: '4h', words: '4 hours' },
    { value: '1d', words: 'a day' },
    { value: '7d', words: 'a week' },
    { value: '30d', words: '30 days' },
  ],
};

export function AttentionEntry({ item, done }: { item: Item; done: () => void }) {
  const known = item.acknowledged;
  const word = severities[item.severity];
  return (
    <li class={known ? 'known' : ''} data-row>
      <span title={word.meaning}>
        <Glyph word={known ? { ...word, glyph: '✓', tone: 'none' } : word} />
        <span class="hide">{known ? 'acknowledged' : word.word}: </span>
      </span>
      <span>
        <a href={item.page.startsWith('/') && !item.page.startsWith('//') ? item.page : '/'}>{item.text}</a>
        {known && (
          <span class="sub">
            <Explained by="acknowledged">acknowledged</Explained>: <Name>{known.by}</Name> looks after it; this ends <When at={known.until} coming />
            {known.reason && (
              <>
                : <bdi>{known.reason}</bdi>
              </>
            )}
          </span>
        )}
      </span>
      <span class="attention-rest">
        <span class="quiet">
          {item.since && <When at={item.since} lasts />}
        </span>
        <Act plain words={known ? 'Lift' : 'Acknowledge'} order={orderOf(item)} done={done} label={`${known ? 'Lift the acknowledgement of' : 'Acknowledge'}: ${item.text}`} />
      </span>
    </li>
  );
}

// On the page of whom it is about: the same entries, so that nobody has to go back to the overview to take care of them.
export function AttentionAbout({ subject }: { subject: string }) {
  const { data, retry } = useAnswer(address('/api/v1/overview'), { topics: ['relay', 'downstream', 'pull'] });
  const mine = data?.attention.filter((item) => item.subject.toLowerCase() === subject.toLowerCase()) ?? [];
  if (mine.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul class="attention">
        {mine.map((item) => (
          <AttentionEntry key={item.key} item={item} done={retry} />
        ))}
      </ul>
    </Section>
  );
}

function orderOf(item: Item) {
  const lift = item.acknowledged !== null;
  return {
    title: lift ? 'Lift the acknowledgement' : 'Acknowledge',
    explain: (
      <p>
        <bdi>{item.text}</bdi>.{' '}
        {lift ? 'It counts as new for everybody again.' : 'It stays listed, below the others, and says that you look after it.'}
      </p>
    ),
    verb: lift ? 'Lift it' : 'I look after it',
    fields: lift ? [why] : [why, howLong],
    run: (filled: Filled, token: string) => acknowledge(item.key, filled, token),
  };
}
