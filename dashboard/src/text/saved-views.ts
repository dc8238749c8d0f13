import { catalogue } from './catalogue.ts'

export const savedViews = catalogue({
  save: ['Save view', 'Ansicht sichern', 'Guardar vista'],
  lead: [
    'Saves these filters under a name, above this list. Only you see the view.',
    'Speichert diese Filter unter einem Namen über dieser Liste. Nur Sie sehen die Ansicht.',
    'Conserva estos filtros con un nombre, sobre esta lista. Solo usted la ve.',
  ],
  name: ['Name of the view', 'Name der Ansicht', 'Nombre de la vista'],
  rename: ['Rename view', 'Ansicht umbenennen', 'Renombrar vista'],
  remove: ['Delete view', 'Ansicht löschen', 'Eliminar vista'],
  removeLead: [
    '{name} no longer appears above the list. The records stay.',
    '{name} verschwindet über der Liste. Die Datensätze bleiben.',
    '{name} desaparece de la lista. Los registros permanecen.',
  ],
})
