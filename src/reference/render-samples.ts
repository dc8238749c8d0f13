import type { Sample } from './blocks.ts'
import { highlight } from './highlight.ts'
import { type Html, html } from './html.ts'

/** Renders code samples. The script adds the choice of a language and shows the copy buttons. */
export const sampleFigures = (samples: readonly Sample[]): Html =>
  html`<div class="samples">${samples.map(figure)}</div>`

const figure = (sample: Sample): Html =>
  html`<figure class="sample" data-language="${sample.label}"><figcaption><span>${sample.label}</span><button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0" role="group" aria-label="${sample.label}"><code>${highlight(sample)}</code></pre></figure>`
