import type { App } from '../app.ts'
import { inspectProviders } from '../features/store/index.ts'
import { reportParts } from '../features/webhooks/index.ts'

/** The checks of `tradepost doctor` that ask other servers, or look at the setup. */
export const INSPECTIONS: App['inspections'] = [inspectProviders]

/** The states of features that the page System shows. */
export const PARTS: App['parts'] = [reportParts]
