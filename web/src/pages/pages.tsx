// From a route to its page. Each is keyed by what it is about, so that nothing of one pull request can stand on another's page.
import type { ComponentChildren } from 'preact';
import type { Route } from '../route';
import { Empty, Page } from '../widgets/frame';
import { Dead } from './dead';
import { Deliveries } from './deliveries';
import { Delivery } from './delivery';
import { Help } from './help_later';
import {
  Benchmarks,
  Cluster,
  Clusters,
  Downstream,
  Flaky,
  Job,
  JobHistory,
  Matrix,
  Nightly,
  Pull,
  Pulls,
  Suites,
  Tests,
  Trends,
} from './later_pages';
import { Overview } from './overview';

export function pages(route: Route): ComponentChildren {
  switch (route.page) {
    case 'overview':
      return <Overview />;
    case 'pulls':
      return <Pulls />;
    case 'pull':
      return <Pull owner={route.owner} repo={route.repo} number={route.number} />;
    case 'downstream':
      return <Downstream owner={route.owner} repo={route.repo} />;
    case 'job':
      return <Job id={route.id} />;
    case 'deliveries':
      return <Deliveries />;
    case 'delivery':
      return <Delivery id={route.id} />;
    case 'dead':
      return <Dead />;
    case 'help':
      return <Help />;
    case 'matrix':
      return <Matrix />;
    case 'trends':
      return <Trends />;
    case 'nightly':
      return <Nightly />;
    case 'suites':
      return <Suites />;
    case 'benchmarks':
      return <Benchmarks />;
    case 'clusters':
      return <Clusters />;
    case 'cluster':
      return <Cluster id={route.id} />;
    case 'flaky':
      return <Flaky />;
    case 'tests':
      return <Tests />;
    case 'job_history':
      return <JobHistory owner={route.owner} repo={route.repo} />;
    case 'missing':
      return <Missing path={route.path} />;
  }
}

function Missing({ path }: { path: string }) {
  return (
    <Page title="No such page">
      <Empty title={`There is no page at ${path.slice(0, 200)}`}>
        <a href="/">Go to the overview</a> or press <kbd>/</kbd> to search.
      </Empty>
    </Page>
  );
}
