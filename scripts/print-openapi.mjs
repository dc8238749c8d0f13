// Prints the Store API as an OpenAPI document: npm run build && node scripts/print-openapi.mjs [server URL]
import { readFileSync } from 'node:fs'
import { EVENT_DOCUMENTATION } from '../dist/events/documentation.js'
import { printOpenApi } from '../dist/http/openapi/print.js'
import { storeEndpoints } from '../dist/surfaces/store-api.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const serverUrl = process.argv[2] ?? 'http://127.0.0.1:4100/v1'
const document = printOpenApi(storeEndpoints, { serverUrl, version, ...EVENT_DOCUMENTATION })
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
