import { useEffect, useState } from 'react'

/** Returns the value after it has not changed for `pause_ms`; until then, the former value. */
export function useDebounced<Value>(value: Value, pause_ms: number): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setDebounced, pause_ms, value)
    return () => clearTimeout(timer)
  }, [value, pause_ms])
  return debounced
}
