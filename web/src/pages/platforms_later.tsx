import { laterPage } from '../widgets/later';

const platforms = () => import('./platforms');

export const Quality = laterPage<object>(async () => (await platforms()).Quality);
export const QualityCompare = laterPage<object>(async () => (await platforms()).QualityCompare);
export const QualityCriteriaList = laterPage<object>(async () => (await platforms()).QualityCriteriaList);
export const QualityCriteria = laterPage<{ set: string; version: string }>(async () => (await platforms()).QualityCriteria);
export const QualityPlatform = laterPage<{ platform: string }>(async () => (await platforms()).QualityPlatform);
export const QualityRelease = laterPage<{ platform: string; release: string }>(async () => (await platforms()).QualityRelease);
export const QualityGap = laterPage<{ platform: string }>(async () => (await platforms()).QualityGap);
