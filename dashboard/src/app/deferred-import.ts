import { useCallback, useEffect, useState } from 'react'
import { loadOpenedCode, loadWhenOnline } from '../api/load-code.ts'
import { toast } from '../kit/toast.tsx'
import { connection } from '../text/connection.ts'

/** The first page is usually complete after this time. */
const DEFER_MS = 1_500

/** Loads code. `opened` means that the user waits for it: a failure is then reported. */
type LoadNow = (reason?: 'opened') => void

/**
 * Imports code that the first page does not need, shortly after the page is shown, or as soon as the returned
 * function is called. `load` must be the same function at each call.
 */
export function useDeferredImport<Code extends object>(
  load: () => Promise<Code>,
): [Code | undefined, LoadNow] {
  const [code, loadNow] = useImportOnDemand(load)
  useEffect(() => {
    const timer = setTimeout(loadNow, DEFER_MS)
    return () => clearTimeout(timer)
  }, [loadNow])
  return [code, loadNow]
}

/** Imports code when the returned function is called. `load` must be the same function at each call. */
export function useImportOnDemand<Code extends object>(
  load: () => Promise<Code>,
): [Code | undefined, LoadNow] {
  const [code, setCode] = useState<Code>()
  const loadNow = useCallback<LoadNow>(
    (reason) => {
      const isOpened = reason === 'opened'
      const loaded = isOpened ? loadOpenedCode(load) : loadWhenOnline(load)
      void loaded.then(setCode, () => isOpened && toast(connection.partMissing))
    },
    [load],
  )
  return [code, loadNow]
}
