import { z } from 'zod'
import { HOST_NAME_ERROR, hasHost } from './net.ts'

const URL_MAX = 2_048

/** Returns the reason for which a URL is not allowed as a `return_url`; undefined if it is (decision 150). */
export function returnUrlProblem(text: string): string | undefined {
  if (text.length > URL_MAX) return `Write at most ${URL_MAX} characters.`
  if (/[\p{Cc}\s]/u.test(text) || !URL.canParse(text))
    return 'Write a complete URL, such as https://example.com/thanks.'
  const url = new URL(text)
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') return 'Remove the user name and the password.'
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    return 'Use a URL that begins with https://, or with http://localhost.'
  return hasHost(url) ? undefined : HOST_NAME_ERROR
}

/** The shape of the page to which a payment leads back. Orders and payments refuse the same URLs (decision 513). */
export const ReturnUrl = z
  .string()
  .superRefine((text, check) => {
    const message = returnUrlProblem(text)
    if (message) check.addIssue({ code: 'custom', message })
  })
  .meta({ openapi: { type: 'string', format: 'uri', maxLength: URL_MAX } })
