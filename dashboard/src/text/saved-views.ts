import { catalogue } from './catalogue.ts'

export const savedViews = catalogue({
  save: ['Save view', 'Ansicht sichern', 'Guardar vista'],
  lead: [
    'Keeps these filters under a name, above this list. Only you see it.',
    'Behält diese Filter unter einem Namen über dieser Liste. Nur Sie sehen ihn.',
    'Conserva estos filtros con un nombre, sobre esta lista. Solo usted la ve.',
  ],
  name: ['Name of the view', 'Name der Ansicht', 'Nombre de la vista'],
  rename: ['Rename view', 'Ansicht umbenennen', 'Renombrar vista'],
  remove: ['Delete view', 'Ansicht löschen', 'Eliminar vista'],
  removeLead: [
    '{name} disappears from above the list. The records stay.',
    '{name} verschwindet über der Liste. Die Datensätze bleiben.',
    '{name} desaparece de la lista. Los registros permanecen.',
  ],
})
