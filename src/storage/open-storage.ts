import { join } from 'node:path'
import type { S3Bucket } from '../kernel/s3-bucket.ts'
import { openDisk } from './disk.ts'
import type { Storage } from './storage.ts'

interface StorageOptions {
  dataDir: string
  s3: S3Bucket | undefined
}

/** Opens the configured storage. The code for S3 is loaded only if it is used. */
export async function openStorage({ dataDir, s3 }: StorageOptions): Promise<Storage> {
  if (!s3) return openLocalStorage(dataDir)
  const { openS3 } = await import('./s3.ts')
  return openS3(s3, join(folderOf(dataDir), 'incoming'))
}

/** Opens the storage on the local disk, also if files are stored in a bucket. */
export const openLocalStorage = (dataDir: string): Storage => openDisk(folderOf(dataDir))

const folderOf = (dataDir: string): string => join(dataDir, 'files')
