export { type Download, openDownload, openMedia } from './open-download.ts'
export { selectFiled } from './queries.ts'
export { linkTo } from './show-files.ts'
