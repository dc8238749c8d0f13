export { expandBundles } from './expand-bundles.ts'
