// The pages of platform quality, loaded together: who reads one goes on to the other.
export { Quality } from './quality';
export { QualityCompare } from './quality_compare';
export { QualityCriteria, QualityCriteriaList } from './quality_criteria';
export { QualityGap } from './quality_gap';
export { QualityPlatform } from './quality_platform';
export { QualityRelease } from './quality_release';
