/**
 * Loads the features, one wing after the other, because Node opens all files of an import at once and the
 * number of open files is limited.
 */
export async function loadWings(): Promise<void> {
  await import('../features/installation/index.ts')
  await import('../features/licensing/index.ts')
  await import('../features/webhooks/index.ts')
  await import('../features/store/index.ts')
}
