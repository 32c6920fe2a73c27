# libspng has no CMake file of its own.
find_path(Spng_INCLUDE_DIR spng.h)
find_library(Spng_LIBRARY NAMES spng spng_static)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Spng REQUIRED_VARS Spng_LIBRARY Spng_INCLUDE_DIR)
mark_as_advanced(Spng_INCLUDE_DIR Spng_LIBRARY)
if(Spng_FOUND AND NOT TARGET spng::spng)
  add_library(spng::spng UNKNOWN IMPORTED)
  set_target_properties(spng::spng PROPERTIES IMPORTED_LOCATION ${Spng_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${Spng_INCLUDE_DIR})
endif()
