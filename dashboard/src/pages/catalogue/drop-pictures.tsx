import { type DragEvent, useRef, useState } from 'react'
import { TradepostError } from '../../api/store.ts'
import { useSend } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { uploadRequest } from '../../kit/upload.ts'
import { listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'

interface Progress {
  done: number
  total: number
  /** The files that were refused, each with the reason. */
  failures: readonly string[]
  /** The names of uploaded files that are slow to load. */
  large: readonly string[]
}

/** A larger picture takes a phone more than ten seconds at 2 Mbit/s. */
const LARGE_BYTES = 3_000_000

/** A place for several pictures, which are dropped on it or chosen with its button. They are uploaded one by one. */
export function DropPictures({ productId }: { productId: string }) {
  const input = useRef<HTMLInputElement>(null)
  const send = useSend()
  const [isOver, setOver] = useState(false)
  const [progress, setProgress] = useState<Progress>()
  const isRunning = progress !== undefined && progress.done < progress.total
  const upload = async (files: readonly File[]) => {
    if (files.length === 0 || isRunning) return
    const failures: string[] = []
    const large = files.filter(({ size }) => size > LARGE_BYTES).map(({ name }) => name)
    for (const [index, file] of files.entries()) {
      setProgress({ done: index, total: files.length, failures: [...failures], large })
      await send.mutateAsync(uploadRequest('media', { id: productId, file })).catch((error) => {
        const reason = error instanceof TradepostError ? error.message : common.failed
        failures.push(`${file.name}: ${reason}`)
      })
    }
    setProgress({ done: files.length, total: files.length, failures, large })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void upload([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same.
    <div
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <button type="button" disabled={isRunning} onClick={() => input.current?.click()}>
        {productTabs.choosePictures}
      </button>{' '}
      <span className="secondary-text">{productTabs.dropPictures}</span>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={productTabs.choosePictures}
        onChange={({ target }) => {
          void upload([...(target.files ?? [])])
          // The same files can be chosen again.
          target.value = ''
        }}
      />
      <p role="status">
        {progress &&
          fill(productTabs.picturesUploaded, {
            done: formatNumber(progress.done - progress.failures.length),
            total: formatNumber(progress.total),
          })}
      </p>
      {progress && progress.large.length > 0 && (
        <p className="notice">
          {fill(productTabs.largePictures, { names: listAnd(progress.large) })}
        </p>
      )}
      {progress && progress.failures.length > 0 && (
        <ul className="failure" role="alert">
          {progress.failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
