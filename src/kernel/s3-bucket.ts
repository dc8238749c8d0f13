/** A bucket of an S3-compatible store, and the key with which it is used. */
export interface S3Bucket {
  bucket: string
  region: string
  /** The URL of the store, without a trailing slash. The bucket becomes part of the path. Undefined for Amazon S3. */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
}
