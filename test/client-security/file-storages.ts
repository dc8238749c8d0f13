import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FAKE_BUCKET, FAKE_KEY, FAKE_REGION, type FakeS3, startFakeS3 } from '../fake-s3.ts'
import type { Tradepost } from '../harness.ts'

/** A storage of files for tests: a folder, or an S3-compatible store. */
interface FileStorage {
  kind: 'local' | 's3'
  /** Opens the storage and returns its settings. */
  open(): Promise<Record<string, string>>
  listBlobs(tradepost: Tradepost): Promise<unknown[]>
  close(): Promise<void>
}

const localDisk: FileStorage = {
  kind: 'local',
  open: async () => ({}),
  async listBlobs(tradepost) {
    const folder = join(tradepost.app.config.dataDir, 'files')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile())
  },
  close: async () => {},
}

let bucket: FakeS3
const s3Store: FileStorage = {
  kind: 's3',
  async open() {
    bucket = await startFakeS3()
    return {
      TRADEPOST_S3_ENDPOINT: bucket.endpoint,
      TRADEPOST_S3_BUCKET: FAKE_BUCKET,
      TRADEPOST_S3_REGION: FAKE_REGION,
      TRADEPOST_S3_ACCESS_KEY_ID: FAKE_KEY.accessKeyId,
      TRADEPOST_S3_SECRET_ACCESS_KEY: FAKE_KEY.secretAccessKey,
    }
  },
  listBlobs: async () => [...bucket.objects.keys()],
  close: () => bucket.close(),
}

/** Each storage with its name, for `describe.each`. */
export const FILE_STORAGES: [string, FileStorage][] = [
  ['the local disk', localDisk],
  ['an S3-compatible store', s3Store],
]
