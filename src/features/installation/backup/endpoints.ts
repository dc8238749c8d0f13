import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { DateTime } from '../../../kernel/shapes.ts'
import { showNewestBackup } from './show-newest-backup.ts'

const BackupRecord = z
  .object({
    file: z.string().describe('The name of the file, without its folder.'),
    bytes: z.int().describe('The size of the file in bytes.'),
    sha256: z.string().describe('The SHA-256 hash of the file, in hex.'),
    made_at: DateTime.describe('The time at which the backup was complete.'),
  })
  .meta({ id: 'BackupRecord', description: 'A backup that `tradepost backup` wrote.' })

/** Backups of the installation, for owners. */
export const backupEndpoints = [
  endpoint({
    id: 'backups.get_newest',
    method: 'GET',
    path: '/newest-backup',
    permission: 'account:write',
    summary: 'Get the newest backup that `tradepost backup` wrote.',
    description:
      'Requires the role of an owner. Copies that other programs make are not recorded, and the file may have been moved since.',
    response: z.object({
      backup: BackupRecord.nullable().describe('The newest backup; null if none was recorded.'),
    }),
    errors: ['INSUFFICIENT_SCOPE'],
    handle: async ({ context }) => ({ backup: await showNewestBackup(context) }),
  }),
]
