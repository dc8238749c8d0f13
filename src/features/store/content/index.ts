export { type OpenedDownload, openDownload, openMedia } from './open-download.ts'
export { selectDownloadableVariants } from './queries.ts'
export { signedFileLink } from './show-files.ts'
export { type MediaFormat, sniff } from './sniff.rules.ts'
