-- The collation of names in lists: "apple" before "Zebra", and "Ärger" next to "apple", whatever the database sorts by.
-- A server that was built without ICU sorts by the bytes of the name in lower case.
do $$
begin
  create collation name_order (provider = icu, locale = 'und');
exception when feature_not_supported then
  create collation name_order from "C";
end $$;
