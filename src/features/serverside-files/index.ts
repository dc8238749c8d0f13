export { addDownloads, type FileRow, selectActiveFile, selectFile } from './queries.ts'
export { downloadFile, readContent } from './read-content.ts'
export { removeFilesJob } from './remove-files.job.ts'
