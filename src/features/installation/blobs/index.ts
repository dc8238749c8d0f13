export { addBlobUse, addBlobUses, releaseAllBlobs, releaseBlobs } from './queries.ts'
export { removeBlobsJob } from './remove-blobs.job.ts'
export { storeBlob } from './store-blob.ts'
export { sweepIncomingJob } from './sweep-incoming.job.ts'
