import { EVENT_DOCUMENTATION } from '../events/documentation.ts'
import { clientEndpoints } from '../features/licensing/index.ts'
import { type OpenApiOptions, openApiSteps } from '../http/openapi/print.ts'
import { securityOpenApiSteps } from '../http/openapi/print-security.ts'
import type { Json } from '../http/openapi/schemas.ts'
import { runInSlices } from '../kernel/slices.ts'
import { SECURITY_PREFIX, securityDownloads, securityEndpoints } from './security-api.ts'
import { storeEndpoints } from './store-api.ts'

/** The OpenAPI documents of both APIs, for the reference and for tools. */
export interface OpenApiDocuments {
  store(): Promise<Json>
  security(): Promise<Json>
}

/**
 * Opens the documents. Each is generated when it is first requested. The work is split into slices, between which
 * other requests are served, because it takes longer than any other work of a process (decision 248).
 */
export function openDocuments(version: string, storeApiUrl: string): OpenApiDocuments {
  let store: Promise<Json> | undefined
  let security: Promise<Json> | undefined
  return {
    store() {
      store ??= printStore({ serverUrl: storeApiUrl, version })
      return store
    },
    security() {
      const document = {
        management: securityEndpoints,
        downloads: securityDownloads,
        runtime: clientEndpoints,
        serverUrl: storeApiUrl.replace(/\/v1$/, SECURITY_PREFIX),
        version,
      }
      security ??= runInSlices(securityOpenApiSteps(document))
      return security
    },
  }
}

/** The samples are loaded only for a document, because they are longer than any other module. */
async function printStore(options: Pick<OpenApiOptions, 'serverUrl' | 'version'>): Promise<Json> {
  const { SAMPLES } = await import('../http/openapi/samples.gen.ts')
  const steps = openApiSteps(storeEndpoints, {
    ...options,
    ...EVENT_DOCUMENTATION,
    samples: SAMPLES,
  })
  return runInSlices(steps)
}
