import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from '../../src/http/describe-issue.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'

const bodies = [...storeEndpoints, ...securityEndpoints].flatMap(({ id, body }) =>
  body instanceof z.ZodObject ? [[id, body] as const] : [],
)

const REQUIRED = expect.stringMatching(/^This field is required\./)

test.each(bodies)(
  'the refusal of an empty body of %s says that its fields are missing',
  (_, body) => {
    const { error } = body.safeParse({}, { error: describeIssue })
    for (const { code, path, message } of error?.issues ?? []) {
      // A shape may also refuse fields that are missing together.
      if (code !== 'custom') expect([path[0], message]).toEqual([path[0], REQUIRED])
    }
  },
)
