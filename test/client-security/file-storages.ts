import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FAKE_BUCKET, FAKE_KEY, FAKE_REGION, type FakeS3, startFakeS3 } from '../fake-s3.ts'
import type { Tradepost } from '../harness.ts'

/** A storage of files: a folder, or an S3-compatible store. */
export interface FileStorage {
  kind: 'local' | 's3'
  env(): Promise<Record<string, string>>
  /** The bytes of all stored files. */
  blobs(tradepost: Tradepost): Promise<unknown[]>
  close(): Promise<void>
}

const onDisk: FileStorage = {
  kind: 'local',
  env: async () => ({}),
  async blobs(tradepost) {
    const folder = join(tradepost.app.config.dataDir, 'files')
    const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return names.filter((item) => item.isFile())
  },
  close: async () => {},
}

let bucket: FakeS3
const inBucket: FileStorage = {
  kind: 's3',
  async env() {
    bucket = await startFakeS3()
    return {
      TRADEPOST_S3_ENDPOINT: bucket.endpoint,
      TRADEPOST_S3_BUCKET: FAKE_BUCKET,
      TRADEPOST_S3_REGION: FAKE_REGION,
      TRADEPOST_S3_ACCESS_KEY_ID: FAKE_KEY.accessKeyId,
      TRADEPOST_S3_SECRET_ACCESS_KEY: FAKE_KEY.secretAccessKey,
    }
  },
  blobs: async () => [...bucket.objects.keys()],
  close: () => bucket.close(),
}

/** Each storage with its name, for `describe.each`. */
export const FILE_STORAGES: [string, FileStorage][] = [
  ['the local disk', onDisk],
  ['an S3-compatible store', inBucket],
]
