import { z } from 'zod'
import type { BrokenRule } from './broken-rule.ts'
import { isLoopbackName } from './net.ts'
import { URL_LENGTH_ERROR, URL_MAX, urlProblem } from './url-problem.ts'

const EXAMPLE = 'https://example.com/thanks'

/** Returns the reason for which a URL is not allowed as a `return_url`; undefined if it is (decision 453). */
export function returnUrlProblem(text: string): string | undefined {
  const problem = urlProblem(text, EXAMPLE)
  if (problem !== undefined) return problem
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
    ? undefined
    : 'Use a URL that begins with https://, or with http:// and localhost, 127.0.0.1 or [::1].'
}

/** The shape of the page to which a payment leads back. Orders and payments refuse the same URLs. */
export const ReturnUrl = z
  .string()
  .superRefine((text, check) => {
    const message = returnUrlProblem(text)
    if (!message) return
    const params: BrokenRule =
      message === URL_LENGTH_ERROR
        ? { rule: 'max_length', limit: URL_MAX }
        : { rule: 'format', format: 'url' }
    check.addIssue({ code: 'custom', message, params })
  })
  .meta({ openapi: { type: 'string', format: 'uri', maxLength: URL_MAX } })
