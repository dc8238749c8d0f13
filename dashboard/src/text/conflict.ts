import { catalogue } from './catalogue.ts'

export const conflict = catalogue({
  byName: [
    '{name} changed this {when}, while you were editing it.',
    '{name} hat das {when} geändert, während Sie es bearbeiteten.',
    '{name} cambió esto {when}, mientras lo editaba.',
  ],
  byKey: [
    'A program with the API key “{name}” changed this {when}, while you were editing it.',
    'Ein Programm mit dem API-Schlüssel „{name}“ hat das {when} geändert, während Sie es bearbeiteten.',
    'Un programa con la clave de API «{name}» cambió esto {when}, mientras lo editaba.',
  ],
  byMe: [
    'You changed this in another window {when}.',
    'Sie haben das {when} in einem anderen Fenster geändert.',
    'Cambió esto en otra ventana {when}.',
  ],
  bySomebody: [
    'Somebody changed this while you were editing it.',
    'Jemand hat das geändert, während Sie es bearbeiteten.',
    'Alguien cambió esto mientras lo editaba.',
  ],
  versions: ['Both versions', 'Beide Fassungen', 'Ambas versiones'],
  field: ['Field', 'Feld', 'Campo'],
  mine: ['Mine', 'Meine Fassung', 'Lo mío'],
  theirs: ['Theirs', 'Andere Fassung', 'Lo suyo'],
  keepMine: ['Keep mine', 'Meine behalten', 'Conservar lo mío'],
  takeTheirs: ['Take theirs', 'Andere übernehmen', 'Tomar lo suyo'],
})
