// Pages whose code is loaded when they are first opened.
import { later } from '../widgets/later';

export const Matrix = later<object>(async () => (await import('./matrix')).Matrix, 'The matrix');
export const Pulls = later<object>(async () => (await import('./pulls')).Pulls, 'The list');
export const Trends = later<object>(async () => (await import('./trends')).Trends, 'The page');
export const Nightly = later<object>(async () => (await import('./nightly')).Nightly, 'The page');
export const Suites = later<object>(async () => (await import('./suites')).Suites, 'The page');
export const Benchmarks = later<object>(async () => (await import('./benchmarks')).Benchmarks, 'The page');
export const Clusters = later<object>(async () => (await import('./clusters')).Clusters, 'The page');
export const Flaky = later<object>(async () => (await import('./flaky')).Flaky, 'The page');
export const Tests = later<object>(async () => (await import('./tests')).Tests, 'The page');
export const Cluster = later<{ id: string }>(async () => (await import('./cluster')).Cluster, 'The page');
export const JobHistory = later<{ owner: string; repo: string }>(async () => (await import('./job_history')).JobHistory, 'The page');
export const Downstream = later<{ owner: string; repo: string }>(async () => (await import('./downstream')).Downstream, 'The page');
export const Job = later<{ id: number }>(async () => (await import('./job')).Job, 'The page');
export const Pull = later<{ owner: string; repo: string; number: number }>(async () => (await import('./pull')).Pull, 'The page');
