import type { SealedColumn } from '../../db/sealed-column.ts'
import { mailSealed } from './mail/sealed.ts'
import { requestLogSealed } from './request-log/sealed.ts'
import { secretsSealed } from './secrets/index.ts'
import { userSealed } from './users/sealed.ts'

export const installationSealed: readonly SealedColumn[] = [
  ...mailSealed,
  ...requestLogSealed,
  ...userSealed,
  ...secretsSealed,
]
