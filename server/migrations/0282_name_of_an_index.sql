-- Errors name the field of an index that ends with "_taken".
alter index saved_reports_name_in_use rename to saved_reports_name_taken;
