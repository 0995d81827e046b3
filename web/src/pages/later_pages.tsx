// Pages whose code is loaded when they are first opened.
import { laterPage } from '../widgets/later';

export const Matrix = laterPage<object>(async () => (await import('./matrix')).Matrix);
export const Pulls = laterPage<object>(async () => (await import('./pulls')).Pulls);
export const Trends = laterPage<object>(async () => (await import('./trends')).Trends);
export const Nightly = laterPage<object>(async () => (await import('./nightly')).Nightly);
export const Suites = laterPage<object>(async () => (await import('./suites')).Suites);
export const Benchmarks = laterPage<object>(async () => (await import('./benchmarks')).Benchmarks);
export const Clusters = laterPage<object>(async () => (await import('./clusters')).Clusters);
export const Flaky = laterPage<object>(async () => (await import('./flaky')).Flaky);
export const Tests = laterPage<object>(async () => (await import('./tests')).Tests);
const ladder = () => import('./ladder');

export const Levels = laterPage<object>(async () => (await ladder()).Levels);
export const LevelOfOne = laterPage<{ owner: string; repo: string }>(async () => (await ladder()).LevelOfOne);
export const Cluster = laterPage<{ id: string }>(async () => (await import('./cluster')).Cluster);
export const JobHistory = laterPage<{ owner: string; repo: string }>(async () => (await import('./job_history')).JobHistory);
