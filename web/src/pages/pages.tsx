// From a route to its page. Each is keyed by what it is about, so that nothing of one pull request can stand on another's page.
import type { ComponentChildren } from 'preact';
import type { Route } from '../route';
import { Help } from './help_later';
import { Benchmarks, Cluster, Clusters, Flaky, JobHistory, LevelOfOne, Levels, Matrix, Nightly, Pulls, Suites, Tests, Trends } from './later_pages';
import { Missing } from './missing_later';
import { Allowlist, Audit, Dead, Refused, Status } from './operator_later';
import { Overview } from './overview';
import { Quality, QualityCompare, QualityCriteria, QualityCriteriaList, QualityGap, QualityPlatform, QualityRelease } from './platforms_later';
import { Deliveries, Delivery, Job } from './records_later';
import { Downstream, Pull } from './subjects_later';

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
    case 'refused':
      return <Refused />;
    case 'allowlist':
      return <Allowlist />;
    case 'status':
      return <Status />;
    case 'audit':
      return <Audit />;
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
    case 'levels':
      return <Levels />;
    case 'level':
      return <LevelOfOne owner={route.owner} repo={route.repo} />;
    case 'quality':
      return <Quality />;
    case 'quality_compare':
      return <QualityCompare />;
    case 'quality_criteria_list':
      return <QualityCriteriaList />;
    case 'quality_criteria':
      return <QualityCriteria set={route.set} version={route.version} />;
    case 'quality_platform':
      return <QualityPlatform platform={route.platform} />;
    case 'quality_release':
      return <QualityRelease platform={route.platform} release={route.release} />;
    case 'quality_gap':
      return <QualityGap platform={route.platform} />;
    case 'missing':
      return <Missing path={route.path} />;
  }
}
