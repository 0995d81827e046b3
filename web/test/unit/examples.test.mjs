// The stand-in tells what a relay may tell: every example satisfies web/openapi.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as examples from '../stand_in/examples.mjs';
import { spoil } from '../stand_in/hostile.mjs';

const contract = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url)));
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
ajv.addSchema({ $id: 'contract', components: contract.components });

function faults(schema, answer) {
  const check = ajv.getSchema(`contract#/components/schemas/${schema}`);
  return check(answer) ? [] : check.errors.map((error) => `${error.instancePath} ${error.message}`);
}

const now = Date.UTC(2026, 10, 16, 2, 30);
const answers = [
  ...['1d', '7d', '90d'].map((window) => ['Overview', examples.overview({ now, window })]),
  ['Pulls', examples.pulls({ now })],
  ['Pulls', examples.pulls({ now, state: 'all', cursor: '34' })],
  ['Pull', examples.pull({ now })],
  ...examples.downstreamNames.flatMap((name) => [
    ['Backend', examples.backend({ now, name, window: '90d' })],
    ['Grid', examples.grid({ now, name })],
  ]),
  ['Grid', examples.grid({ now, name: examples.downstreamNames[0], event: 'nightly', columns: 300, rows: 200 })],
  ['JobDetail', examples.jobDetail({ now, id: 501 })],
  ['Deliveries', examples.deliveries({ now })],
  ['Delivery', examples.delivery({ now, id: 'x' })],
  ['Dead', examples.dead({ now })],
  ['Dead', examples.dead({ now, empty: true })],
  ['Dead', examples.dead({ now, kind: 'letter' })],
  ['Refused', examples.refused({ now })],
  ['Refused', examples.refused({ now, empty: true })],
  ['Allowlists', examples.allowlists({ now })],
  ['Status', examples.status({ now })],
  ['Notes', examples.notes({ now })],
  ['Audit', examples.audit({ now })],
  ...['7d', '90d'].map((window) => ['Trends', examples.trends({ now, window })]),
  ['Trends', examples.trends({ now, downstream: examples.downstreamNames[0] })],
  ...[1, 26].map((weeks) => ['Nightly', examples.nightly({ now, weeks })]),
  ...examples.downstreamNames.map((name) => ['JobHistory', examples.jobHistory({ now, name, job: 'unit' })]),
  ['Suites', examples.suites({ now })],
  ['Benchmarks', examples.benchmarks({ now, downstream: examples.downstreamNames[0] })],
  ['Benchmarks', examples.benchmarks({ now, downstream: 'tidal/tensor-wasm' })],
  [
    'BenchmarkSeries',
    examples.benchmarkSeries({ now, downstream: examples.downstreamNames[0], suite: 'training', name: 'gpt2-medium step' }),
  ],
  ['Clusters', examples.clusters({ now })],
  ...examples.clusters({ now }).rows.flatMap(({ id, test: name }) => [
    ['ClusterDetail', examples.clusterDetail({ now, id })],
    ['TestHistory', examples.testHistory({ now, name })],
  ]),
  ['Flaky', examples.flaky({ now })],
  ['TestHistory', examples.testHistory({ now, name: 'nobody knows it' })],
  ['Levels', examples.levels({ now })],
  ...examples.downstreamNames.map((name) => ['LevelDetail', examples.level({ now, name })]),
  ['Quality', examples.quality({ now })],
  ['Quality', examples.quality({ now, empty: true, configured: false })],
  ...examples.platformNames.map((platform) => ['QualityPlatform', examples.qualityPlatform({ now, platform })]),
  ...examples.assessments.map((asked) => ['QualityRelease', examples.qualityRelease({ now, ...asked })]),
  ['QualityCriteriaList', examples.qualityCriteriaList({ now })],
  ['QualityCriteria', examples.qualityCriteria({ now, set: 'pytorch-cpq', version: '2025.11-124' })],
  ['LevelTransitions', examples.levelTransitions({ now })],
  ['LevelTransitions', examples.levelTransitions({ now, downstream: examples.downstreamNames[1], cursor: '390' })],
];

test('every example is what the contract says', () => {
  for (const [schema, answer] of answers) assert.deepEqual(faults(schema, answer), [], schema);
});

test('hostile examples are still what the contract says', () => {
  for (const [schema, answer] of answers) assert.deepEqual(faults(schema, spoil(answer)), [], schema);
});

test('the comparison finds what is wrong', () => {
  assert.notDeepEqual(faults('Overview', { ...examples.overview({ now }), stream_id: 5 }), []);
  assert.notDeepEqual(faults('Pulls', { ...examples.pulls({ now }), extra: true }), []);
});
