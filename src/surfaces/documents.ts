import { EVENT_DOCUMENTATION } from '../events/documentation.ts'
import { clientEndpoints } from '../features/licensing/index.ts'
import { loadSamples } from '../http/openapi/load-samples.ts'
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
 * other requests are served, because it takes longer than any other work of a process.
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
      const serverUrl = storeApiUrl.replace(/\/v1$/, SECURITY_PREFIX)
      security ??= printSecurity({ serverUrl, version })
      return security
    },
  }
}

type Options = Pick<OpenApiOptions, 'serverUrl' | 'version'>

async function printStore(options: Options): Promise<Json> {
  const samples = await loadSamples('store')
  const steps = openApiSteps(storeEndpoints, { ...options, ...EVENT_DOCUMENTATION, samples })
  return runInSlices(steps)
}

async function printSecurity(options: Options): Promise<Json> {
  const document = {
    management: securityEndpoints,
    downloads: securityDownloads,
    runtime: clientEndpoints,
    samples: await loadSamples('security'),
    ...options,
  }
  return runInSlices(securityOpenApiSteps(document))
}
