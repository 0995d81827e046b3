# What a package wants of the files that were installed for it: pages and changelog compressed, and the same permissions
# whatever the umask of whoever builds it.
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
file(GLOB pages "${root}/usr/share/man/man1/*.1")
if(NOT pages)
  message(FATAL_ERROR "the package has no manual pages under ${root}")
endif()
execute_process(COMMAND gzip -9n ${pages} "${root}/usr/share/doc/baton/changelog" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod -R u=rwX,go=rX "${root}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod 0700 "${root}/etc/baton/secrets" COMMAND_ERROR_IS_FATAL ANY) # postinst gives it to the relay's group
