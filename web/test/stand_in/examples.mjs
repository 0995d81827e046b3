// Answers of a relay that does not run. test/unit/examples.test.mjs holds them to openapi.json.
export { downstreamNames, upstream } from './world.mjs';
export { backend, grid, overview } from './example_downstreams.mjs';
export { pull, pulls } from './example_pulls.mjs';
export { allowlists, audit, notes, refused, status } from './example_operator.mjs';
export { dead, deliveries, delivery, jobDetail } from './example_deliveries.mjs';
export { benchmarks, benchmarkSeries, jobHistory, nightly, suites, trends } from './example_trends.mjs';
export { level, levels, levelTransitions } from './example_levels.mjs';
export { assessments, platformNames, quality, qualityCriteria, qualityCriteriaList, qualityPlatform, qualityRelease } from './example_quality.mjs';
export { clusterDetail, clusters, flaky, testHistory } from './example_failures.mjs';
