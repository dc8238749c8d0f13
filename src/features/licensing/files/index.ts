export { addDownloads, type FileRow, selectActiveFile, selectFile } from './queries.ts'
export { type Content, downloadFile, readContent } from './read-content.ts'
export { removeFilesJob } from './remove-files.job.ts'
