export { keepBlob } from './keep-blob.ts'
export { dropBlobs, freeBlobs, useBlob, useBlobs } from './queries.ts'
export { removeBlobsJob } from './remove-blobs.job.ts'
export { sweepIncomingJob } from './sweep-incoming.job.ts'
