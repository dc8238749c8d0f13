import { useCallback, useEffect, useState } from 'react'

/** The first page is usually complete after this time. */
const DEFER_MS = 1_500

/**
 * Imports code that the first page does not need, shortly after the page is shown, or as soon as the returned
 * function is called. `load` must be the same function at each call.
 */
export function useDeferredImport<Code extends object>(
  load: () => Promise<Code>,
): [Code | undefined, () => void] {
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
): [Code | undefined, () => void] {
  const [code, setCode] = useState<Code>()
  // A failure is not reported, because the next press tries again.
  const loadNow = useCallback(() => void load().then(setCode, () => {}), [load])
  return [code, loadNow]
}
