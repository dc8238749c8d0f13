import { EVENT_DOCUMENTATION } from '../events/documentation.ts'
import { clientEndpoints } from '../features/licensing/index.ts'
import { printOpenApi } from '../http/openapi/print.ts'
import { printSecurityOpenApi } from '../http/openapi/print-security.ts'
import type { Json } from '../http/openapi/schemas.ts'
import { SECURITY_PREFIX, securityDownloads, securityEndpoints } from './security-api.ts'
import { storeEndpoints } from './store-api.ts'

/** Both APIs as OpenAPI documents, for the reference and for tools. */
export interface OpenApiDocuments {
  store(): Json
  security(): Json
}

/** Prints each document on first use, because printing is the most expensive step of a start. */
export function openDocuments(version: string, storeApiUrl: string): OpenApiDocuments {
  let store: Json | undefined
  let security: Json | undefined
  return {
    store() {
      store ??= printOpenApi(storeEndpoints, {
        serverUrl: storeApiUrl,
        version,
        ...EVENT_DOCUMENTATION,
      })
      return store
    },
    security() {
      security ??= printSecurityOpenApi({
        management: securityEndpoints,
        downloads: securityDownloads,
        runtime: clientEndpoints,
        serverUrl: storeApiUrl.replace(/\/v1$/, SECURITY_PREFIX),
        version,
      })
      return security
    },
  }
}
