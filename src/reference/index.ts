export { readAssets } from './assets.ts'
export { siteAt } from './model.ts'
export { preferredForm } from './negotiate.rules.ts'
export { openReference, type Rendered } from './reference.ts'
