// The pages of the ladder, loaded together: who reads one goes on to the other.
export { LevelOfOne } from './level';
export { Levels } from './levels';
