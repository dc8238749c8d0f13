export { type Download, openDownload, openMedia } from './open-download.ts'
export { linkTo } from './show-files.ts'
