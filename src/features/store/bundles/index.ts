export { openBundles } from './open-bundles.ts'
