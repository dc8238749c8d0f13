// Enhances pages that work without it: copy buttons, the choice of a language, search while typing,
// and "Try it".
import { offerSearch } from './search.js'
import { offerTry } from './try.js'

const root = document.documentElement
root.classList.add('scripted')
for (const button of document.querySelectorAll('button.copy')) offerCopy(button)
for (const samples of document.querySelectorAll('.samples')) offerLanguages(samples)
show('curl')
offerSearch()
offerTry()

/** @param {Element} button */
function offerCopy(button) {
  if (!(button instanceof HTMLButtonElement)) return
  button.hidden = false
  const label = button.closest('figure')?.dataset.language ?? ''
  button.setAttribute('aria-label', `Copy ${label}`)
  button.addEventListener('click', async () => {
    const text = button.closest('figure')?.querySelector('code')?.textContent ?? ''
    const copied = await copy(text)
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    button.setAttribute('aria-label', button.textContent)
    setTimeout(() => {
      button.textContent = 'Copy'
      button.setAttribute('aria-label', `Copy ${label}`)
    }, 2000)
  })
}

/** The clipboard needs https or localhost; elsewhere the text is selected by the old command. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    const focused = document.activeElement
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
    return copied
  }
}

/** One choice for the whole page. @param {Element} samples */
function offerLanguages(samples) {
  const figures = [...samples.querySelectorAll('figure')]
  const names = figures.map((figure) => figure.dataset.language ?? '')
  if (names.join() !== 'curl,TypeScript') return
  samples.classList.add('both')
  for (const figure of figures) {
    const choice = document.createElement('div')
    choice.className = 'languages'
    choice.setAttribute('role', 'group')
    choice.setAttribute('aria-label', 'Language')
    for (const name of names) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = name
      button.dataset.show = name
      button.addEventListener('click', () => {
        show(name)
        const selected = figures[names.indexOf(name)]
        const same = selected?.querySelector(`[data-show="${name}"]`)
        if (same instanceof HTMLElement) same.focus()
      })
      choice.append(button)
    }
    figure.querySelector('figcaption span')?.replaceWith(choice)
  }
}

/** @param {string} name */
function show(name) {
  root.dataset.shown = name
  for (const button of document.querySelectorAll('[data-show]')) {
    if (!(button instanceof HTMLElement)) continue
    button.setAttribute('aria-pressed', String(button.dataset.show === name))
  }
}
