import { statfs } from 'node:fs/promises'

/** The free bytes of the disk of a folder that this user may write. Only root may use the blocks that are reserved for root. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bfree, bsize } = await statfs(folder)
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize
}
