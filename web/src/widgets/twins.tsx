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

export function Feed({ path, of }: { path: string; of: string }) {
  return (
    <span class="twins">
      <a href={path} type="application/atom+xml" title={`Atom feed of ${of}`}>
        Feed
      </a>
    </span>
  );
}
