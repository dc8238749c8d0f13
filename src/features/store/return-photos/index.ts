export { deletePhotosOf } from './change-photos.ts'
