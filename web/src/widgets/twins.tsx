// The same rows for programs: every table has its CSV and NDJSON, with the filters that are set, and some subjects have a feed.
import { changed } from '../route';

type Values = Record<string, string | null | undefined>;

export function Exports({ path, query = {} }: { path: string; query?: Values }) {
  const asked = changed('', query);
  return (
    <span class="twins">
      <a href={`${path}.csv${asked}`} download="" title="all rows that the filters leave, for a spreadsheet">
        CSV
      </a>
      <a href={`${path}.ndjson${asked}`} download="" title="all rows that the filters leave, one JSON object per line">
        NDJSON
      </a>
    </span>
  );
}

// A page at its own address with an ending: for programs, to paste, and as a picture or a table where it has one.
export function PageTwins({ path, query = {}, more = [] }: { path: string; query?: Values; more?: ('svg' | 'csv')[] }) {
  const asked = changed('', query);
  return (
    <span class="twins">
      {(['json', 'md', ...more] as const).map((ending) => (
        <a key={ending} rel="alternate" href={`${path}.${ending}${asked}`} title={twinTitles[ending]}>
          {twinNames[ending]}
        </a>
      ))}
    </span>
  );
}

const twinNames = { json: 'JSON', md: 'Markdown', svg: 'Badge', csv: 'CSV' };
const twinTitles = {
  json: 'this page for programs',
  md: 'this page as text to paste',
  svg: 'the grade as a small picture',
  csv: 'all platforms and releases, for a spreadsheet',
};

export function Feed({ path, of }: { path: string; of: string }) {
  return (
    <span class="twins">
      <a href={path} type="application/atom+xml" title={`Atom feed of ${of}`}>
        Feed
      </a>
    </span>
  );
}
