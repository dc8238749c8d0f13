export { addDownloads, FILES, type FileRow } from './queries.ts'
export { downloadFile, downloadVersion, type FileContent, readContent } from './read-content.ts'
export { removeFilesJob } from './remove-files.job.ts'
export { FileVersionPath } from './schema.ts'
