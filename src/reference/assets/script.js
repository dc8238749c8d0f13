// Enhances pages that work without it: copy buttons, the choice of a language, search while typing,
// and "Try it".
import { addSearch } from './search.js'
import { addTryButtons } from './try.js'

const root = document.documentElement
root.classList.add('scripted')
for (const button of document.querySelectorAll('button.copy')) addCopy(button)
for (const samples of document.querySelectorAll('.samples')) addLanguages(samples)
show('curl')
addSearch()
addTryButtons()

/** @param {Element} button */
function addCopy(button) {
  if (!(button instanceof HTMLButtonElement)) return
  button.hidden = false
  const label = button.closest('figure')?.dataset.language ?? ''
  button.setAttribute('aria-label', `Copy ${label}`)
  button.addEventListener('click', async () => {
    const text = button.closest('figure')?.querySelector('code')?.textContent ?? ''
    const isCopied = await copy(text)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    button.setAttribute('aria-label', button.textContent)
    setTimeout(() => {
      button.textContent = 'Copy'
      button.setAttribute('aria-label', `Copy ${label}`)
    }, 2000)
  })
}

/** Copies a text. The clipboard API needs https or localhost, so elsewhere the old command is used. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    const focusedElement = document.activeElement
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (focusedElement instanceof HTMLElement) focusedElement.focus()
    return isCopied
  }
}

/** Adds buttons that choose the language of all samples of the page. @param {Element} samples */
function addLanguages(samples) {
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
        // The pressed button is now hidden.
        const shownFigure = figures[names.indexOf(name)]
        const shownButton = shownFigure?.querySelector(`[data-show="${name}"]`)
        if (shownButton instanceof HTMLElement) shownButton.focus()
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
